/**
 * An S3 server for tests, as a process of its own: lists in pages need an old cipher, which Node has with --openssl-legacy-provider. Its
 * argument is a folder; it prints its port. Key and secret are S3RVER.
 */
import S3rver from 's3rver';

const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'worlds' }],
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
