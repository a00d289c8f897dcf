import { SIGNED_IN_COOKIE, XSRF_COOKIE, XSRF_HEADER } from '../../contract/constants.ts'
import { getHomeDevices, getHomes } from '../../contract/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../contract/environment.ts'
import { OWNER } from '../stores/devices.ts'
import { KEYS } from '../stores/storage.ts'

interface Facts {
  readonly homesUrl: string
  readonly devicesUrl: string
  readonly marker: string
  readonly xsrfCookie: string
  readonly xsrfHeader: string
  readonly tokenKey: string
  readonly homeKey: string
  readonly environment: string
  /** `role` of the primary home. */
  readonly owner: number
}

/**
 * Runs inside the document of /live, so it uses nothing from outside: asks for the homes, and for the devices of the home
 * of the last visit or else of the one that is answered (preload-live.ts).
 */
function ask(facts: Facts): void {
  const { homesUrl, devicesUrl, marker, xsrfCookie, xsrfHeader, tokenKey, homeKey, environment, owner } = facts
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
  try {
    const token = localStorage.getItem(tokenKey)
    const known = token && localStorage.getItem(homeKey)
    const xsrf = cookie(xsrfCookie)
    const { early } = window
    if (cookie(marker) !== '1' || !xsrf || !early) return
    const headers = { accept: 'application/json', ...(token && { 'web-app-token': token }) }
    const listDevices = (home_id: string | undefined) =>
      fetch(devicesUrl, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', [xsrfHeader]: decodeURIComponent(xsrf) },
        body: JSON.stringify({
          device_category: 'camera',
          env: document.documentElement.dataset['environment'] ?? environment,
          ...(home_id && { home_id }),
        }),
      })
    const homes = fetch(homesUrl, { headers })
    early.homes = homes
    // Without a list of homes this fails, and the page asks once it knows them.
    early.devices = known
      ? listDevices(known)
      : homes
          .then((answer) => answer.clone().json() as Promise<{ data: { role: number; home_id: string }[] }>)
          .then(({ data }) => listDevices(data.find(({ role }) => role === owner)?.home_id))
    homes.catch(() => {})
    early.devices.catch(() => {})
  } catch {
    // Storage is blocked: the page asks once its script is there.
  }
}

/** The text of an inline script that starts the list of cameras beside the question who is signed in. */
export const EARLY_DEVICES = `(${ask.toString()})(${JSON.stringify({
  homesUrl: `/api/p/${getHomes.group}${getHomes.path}`,
  devicesUrl: `/api/p/${getHomeDevices.group}${getHomeDevices.path}`,
  marker: SIGNED_IN_COOKIE,
  xsrfCookie: XSRF_COOKIE,
  xsrfHeader: XSRF_HEADER,
  tokenKey: KEYS.webAppToken,
  homeKey: KEYS.homeId,
  environment: DEFAULT_ENVIRONMENT,
  owner: OWNER,
} satisfies Facts)})`
