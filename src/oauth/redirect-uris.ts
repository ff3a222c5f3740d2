/**
 * Addresses that an answer may be sent to. Whoever registers chooses them, and a person's browser goes there: so they
 * are https, a program on this device, or a scheme that an app has made its own (RFC 8252, 7), and never one that means
 * something to browsers, operating systems or other programs.
 */

export const loopbackHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const maxUriLength = 512;

/** Schemes that open, run, send or call something by themselves. */
const reservedSchemes = new Set(
  [
    // of browsers
    'about blob chrome chrome-extension chrome-search chrome-untrusted data devtools edge brave opera vivaldi',
    'filesystem javascript jar livescript mocha moz-extension moz-icon resource safari-extension safari-web-extension',
    'vbscript view-source wyciwyg cid mid mhtml its mk hcp res local file file-system x-javascript',
    // of networks
    'coap coaps dav davs dict dns ftp ftps finger git gopher http+unix imap imaps irc irc6 ircs ldap ldapi ldaps',
    'nfs news nntp pop pop3 pop3s rdp rlogin rsync rtmp rtsp rtsps scp sftp shttp smb smtp smtps snews ssh',
    'svn svn+ssh telnet tftp vnc wais webdav webdavs ws wss xmpp',
    // of operating systems, and of what people are reached by
    'afp android-app applescript bitcoin calshow callto content facetime facetime-audio feed geo help intent',
    'itms itms-apps itms-appss itms-services magnet mailto maps market mms mmsto photos-redirect search search-ms',
    'shell shortcuts sip sips sms smsto tel urn uuid webcal webcals wtai x-apple-helpbasic x-help-script',
  ].flatMap((line) => line.split(' ')),
);
const reservedSchemePrefix = /^(?:ms-|x-apple|com\.apple\.|web\+|prefs)/;

/** Whether an answer may be sent there at all. */
export function isAllowedRedirectUri(address: unknown): address is string {
  // Printable ASCII alone; a backslash is a slash to browsers, an asterisk a wildcard to some clients' authors.
  if (typeof address !== 'string' || !/^[!-[\]-~]+$/.test(address) || address.length > maxUriLength)
    return false;
  if (/[*#]/.test(address) || !URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // `https://you@elsewhere/` is made to be misread.
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return hostname !== '';
  if (protocol === 'http:') return loopbackHost.test(hostname);
  return isAppScheme(protocol.slice(0, -1)) && address.slice(protocol.length).startsWith('/');
}

const isAppScheme = (scheme: string): boolean =>
  !reservedSchemes.has(scheme) && !reservedSchemePrefix.test(scheme);
