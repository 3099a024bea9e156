import { PassThrough } from 'node:stream';
import { confirm } from '../../ctl/confirm';

async function answer(text: string): Promise<{ yes: boolean; asked: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asking = confirm('Delete?', input, output);
  input.end(text);
  const yes = await asking;
  return { yes, asked: String(output.read()) };
}

describe('a question', () => {
  it.each(['y\n', 'Y\n', 'yes\n', ' Yes \n'])('is agreed to by %j', async (text) => {
    const { yes, asked } = await answer(text);
    expect(yes).toBe(true);
    expect(asked).toContain('Delete? [y/N] ');
  });

  it.each(['', '\n', 'n\n', 'yess\n', 'nay\n', 'oy\n'])('is not agreed to by %j', async (text) => {
    expect((await answer(text)).yes).toBe(false);
  });
});
