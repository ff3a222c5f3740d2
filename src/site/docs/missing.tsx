/** Where there is nothing to read. */
import { frame, type Reading } from './frame.tsx';
import type { Html } from './send.ts';

async function tell(reading: Reading, status: number, title: string, text: string): Promise<Html> {
  const { prefix } = reading.place;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p class="actions">
        <a class="button" href={`${prefix}/docs`}>
          API reference
        </a>
        <a class="button quiet" href={`${prefix}/docs/guides`}>
          All guides
        </a>
      </p>
    </>
  );
  const html = await frame(reading, { title, description: text, menu: false, children });
  return { html, status };
}

export const missingPage = (reading: Reading): Promise<Html> =>
  tell(
    reading,
    404,
    'There is no such page',
    'The guides may have been put in order since the link was made.',
  );
export async function refusedPage(reading: Reading): Promise<Html> {
  const told = await tell(reading, 405, 'Not this way', 'Pages are read with GET or HEAD.');
  return { ...told, headers: { Allow: 'GET, HEAD' } };
}
