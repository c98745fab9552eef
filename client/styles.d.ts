// Styles that a webview's script brings along: the build makes a file of its own of them.
declare module '*.css';
