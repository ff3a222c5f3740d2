/** An SMTP server that keeps the mails it gets. */
import { createRequire } from 'node:module';
import { after } from 'node:test';

export type ReceivedMail = { to: string[]; text: string };
type Stream = NodeJS.ReadableStream;
type Envelope = { envelope: { rcptTo: { address: string }[] } };
type Done = (error?: Error & { responseCode?: number }) => void;
type SmtpServer = {
  listen(port: number, host: string, listening: () => void): void;
  close(closed: () => void): void;
  server: { address(): { port: number } };
};

const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: object) => SmtpServer;
};

export type Mailbox = {
  /** The address for `--smtp-url`. */
  url: string;
  mails: ReceivedMail[];
  /** The status with which the next mails are refused. */
  refuseNext: number[];
  /** Waits until so many mails arrived in total. */
  waitFor(count: number): Promise<ReceivedMail>;
};

/** Starts a server on a free port; it ends after the tests. */
export async function serveMail(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const refuseNext: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream: Stream, session: Envelope, done: Done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const responseCode = refuseNext.shift();
        if (responseCode !== undefined) return done(Object.assign(new Error('refused'), { responseCode }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: decode(Buffer.concat(pieces).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => new Promise<void>((resolve) => server.close(resolve)));
  const waitFor = async (count: number): Promise<ReceivedMail> => {
    const until = Date.now() + 60_000;
    while (mails.length < count) {
      if (Date.now() > until) throw new Error(`${mails.length} of ${count} mails arrived`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return mails[count - 1] as ReceivedMail;
  };
  return { url: `smtp://127.0.0.1:${server.server.address().port}`, mails, refuseNext, waitFor };
}

/** Decodes quoted-printable lines (RFC 2045, section 6.7). */
const decode = (text: string): string =>
  /^content-transfer-encoding: quoted-printable/im.test(text)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
    : text;

/** Returns the path of the first link of a mail below an address. */
export function linkIn({ text }: ReceivedMail, address: string): string {
  const at = text.indexOf(address);
  if (at < 0) throw new Error(`no link to ${address} in ${text}`);
  return (/^\S+/.exec(text.slice(at + address.length)) as RegExpExecArray)[0];
}
