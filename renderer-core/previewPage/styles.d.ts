// Styles are imported for the bundler alone, which writes them beside the script.
declare module '*.css';
