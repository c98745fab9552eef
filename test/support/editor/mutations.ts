// Texts that are almost a sample, for tests of what must accept any text.
import fc from 'fast-check';

/** Pieces of text that mean something to a parser of HTML, JSON, CSS or scripts. */
export const noise = fc.constantFrom(
  ...`< > " ' & &quot; { [ ] } , : = / \\ \` \0 \r \uFEFF 😀 \ud800 $ \${ - 1e999 .. <b> <p> <svg> <table> <template>
</template> <script> </script> <style> <!-- --> <![CDATA[`.split(/[ \n]/),
);

/** The sample with up to `most` small changes. */
export function mutationsOf(sample: string, most: number): fc.Arbitrary<string> {
  const mutation = fc.record({ at: fc.nat(sample.length), remove: fc.nat(12), insert: noise });
  return fc
    .array(mutation, { minLength: 1, maxLength: most })
    .map((mutations) =>
      mutations.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), sample),
    );
}
