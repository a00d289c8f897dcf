import { SIGNED_IN_COOKIE, XSRF_COOKIE, XSRF_HEADER } from '../../contract/constants.ts'
import { getStreams } from '../../contract/live.ts'
import { KEYS } from '../stores/storage.ts'

interface Facts {
  readonly url: string
  readonly marker: string
  readonly xsrfCookie: string
  readonly xsrfHeader: string
  readonly camerasKey: string
  readonly tokenKey: string
}

/** Runs inside the document of /live, so it uses nothing from outside: asks how to watch the cameras of the last visit. */
function ask(facts: Facts): void {
  const { url, marker, xsrfCookie, xsrfHeader, camerasKey, tokenKey } = facts
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  try {
    const device_list = (JSON.parse(localStorage[camerasKey]) as { device_id: string }[]).map(({ device_id }) => ({
      device_id,
    }))
    const token = localStorage[tokenKey] as string
    const xsrf = cookie(xsrfCookie)
    if (cookie(marker) !== '1' || !xsrf || !token || !device_list.length || !window.early) return
    window.early.streams = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'web-app-token': token, [xsrfHeader]: decodeURIComponent(xsrf) },
      body: JSON.stringify({ device_list }),
    })
    window.early.streams.catch(() => {})
  } catch {
    // Nothing remembered: the page asks once it knows its cameras.
  }
}

/** The text of an inline script that starts the streams call beside the question who is signed in. */
export const EARLY_STREAMS = `(${ask.toString()})(${JSON.stringify({
  url: `/api/p/${getStreams.group}${getStreams.path}`,
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  camerasKey: KEYS.userCameras,
  tokenKey: KEYS.webAppToken,
} satisfies Facts)})`
