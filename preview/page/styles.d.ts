// Style sheets are imported only for the bundler, which writes them next to the script.
declare module '*.css';
