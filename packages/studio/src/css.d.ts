/** The bundler puts a style sheet into the page. */
declare module '*.css';
