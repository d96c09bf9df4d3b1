#!/usr/bin/env node
import module from 'node:module';

// Node 22 and newer keep compiled code between runs.
module.enableCompileCache?.();
const { main } = await import('../dist/main.js');

process.exitCode = await main(process.argv.slice(2));
