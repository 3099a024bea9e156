import { createOutput } from '../../ctl/output';

function written(write: (output: ReturnType<typeof createOutput>) => void): string {
  const chunks: string[] = [];
  write(createOutput({ write: (chunk: string | Uint8Array) => Boolean(chunks.push(String(chunk))) }));
  return chunks.join('');
}

describe('output', () => {
  it('is written as it is, with its line ends', () => {
    expect(
      written((output) => {
        output.write('a\n  ü 漢\n');
        output.line('b');
      }),
    ).toBe('a\n  ü 漢\nb\n');
  });

  it('steers no terminal, whoever forgot to see to that', () => {
    expect(
      written((output) => {
        output.line('\u001b[2J\r\u202e\u0085');
      }),
    ).toBe('\\u001b[2J\\u000d\\u202e\\u0085\n');
  });
});
