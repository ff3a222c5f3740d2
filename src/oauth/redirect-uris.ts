/**
 * Allowed redirect addresses. The client chooses them, and the browser of a person goes there: they must be https, a
 * loopback address, or a private-use scheme of an app (RFC 8252, 7), never a scheme that browsers, operating systems or
 * other programs handle.
 */
export const loopbackHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const maxUriLength = 512;

/** Schemes that open, run, send or call something. */
const reservedSchemes = new Set(
  [
    // browsers
    'about blob chrome chrome-extension chrome-search chrome-untrusted data devtools edge brave opera vivaldi',
    'filesystem javascript jar livescript mocha moz-extension moz-icon resource safari-extension safari-web-extension',
    'vbscript view-source wyciwyg cid mid mhtml its mk hcp res local file file-system x-javascript',
    // networks
    'coap coaps dav davs dict dns ftp ftps finger git gopher http+unix imap imaps irc irc6 ircs ldap ldapi ldaps',
    'nfs news nntp pop pop3 pop3s rdp rlogin rsync rtmp rtsp rtsps scp sftp shttp smb smtp smtps snews ssh',
    'svn svn+ssh telnet tftp vnc wais webdav webdavs ws wss xmpp',
    // operating systems, telephony and messages
    'afp android-app applescript bitcoin calshow callto content facetime facetime-audio feed geo help intent',
    'itms itms-apps itms-appss itms-services magnet mailto maps market mms mmsto photos-redirect search search-ms',
    'shell shortcuts sip sips sms smsto tel urn uuid webcal webcals wtai x-apple-helpbasic x-help-script',
  ].flatMap((line) => line.split(' ')),
);
const reservedSchemePrefix = /^(?:ms-|x-apple|com\.apple\.|web\+|prefs)/;

/** Returns whether a response may be sent to the address. */
export function isAllowedRedirectUri(address: unknown): address is string {
  // Printable ASCII without a backslash, which browsers treat as a slash.
  if (typeof address !== 'string' || !/^[!-[\]-~]+$/.test(address) || address.length > maxUriLength)
    return false;
  // Some clients register an asterisk as a wildcard.
  if (/[*#]/.test(address) || !URL.canParse(address)) return false;
  // `https:app.example` names that host by itself, and a path of this service in its response.
  if (/^https?:/i.test(address) && !/^https?:\/\/[^/]/i.test(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // `https://trusted.example@attacker.example/` is misleading.
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return hostname !== '';
  if (protocol === 'http:') return loopbackHost.test(hostname);
  return isAppScheme(protocol.slice(0, -1)) && address.slice(protocol.length).startsWith('/');
}

const isAppScheme = (scheme: string): boolean =>
  !reservedSchemes.has(scheme) && !reservedSchemePrefix.test(scheme);
