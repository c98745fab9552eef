// A composition as the client is told of it.
import type { OwnedFile } from './projects.ts';
import type { CompositionInfo } from './protocol.ts';

export function compositionInfo({ uri, path, owner, composition }: OwnedFile): CompositionInfo {
  const { id, width, height, duration, fps, declarations } = composition;
  return {
    uri,
    path,
    projectUri: owner.uri,
    id: id?.text ?? null,
    width: width?.value ?? null,
    height: height?.value ?? null,
    duration: duration?.value ?? null,
    fps: fps?.value ?? null,
    variables: declarations,
  };
}
