// A fake of `vscode.Uri` for files, for `vi.mock('vscode', …)`.
import { posix } from 'node:path';

export class Uri {
  readonly scheme: string;
  readonly authority = '';
  readonly path: string;
  readonly query: string;

  private constructor(scheme: string, path: string, query = '') {
    this.scheme = scheme;
    this.path = path;
    this.query = query;
  }
  static file = (path: string): Uri => new Uri('file', path);
  static parse(text: string): Uri {
    const { protocol, pathname } = new URL(text);
    return new Uri(protocol.slice(0, -1), decodeURIComponent(pathname));
  }
  static joinPath = ({ scheme, path }: Uri, ...parts: string[]): Uri => new Uri(scheme, posix.join(path, ...parts));
  get fsPath(): string {
    return this.path;
  }
  with = ({ query }: { query: string }): Uri => new Uri(this.scheme, this.path, query);
  toString(): string {
    const path = this.path.split('/').map(encodeURIComponent).join('/');
    return `${this.scheme}://${path}${this.query === '' ? '' : `?${this.query}`}`;
  }
}
