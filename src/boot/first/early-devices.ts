import { getHomeDevices, getHomes } from '../../../contract/devices.ts'
import { DEFAULT_ENVIRONMENT } from '../../../contract/environment.ts'
import { OWNER } from '../../../contract/roles.ts'
import { KEYS } from '../../stores/storage/storage.ts'

interface Facts {
  readonly homesUrl: string
  readonly devicesUrl: string
  readonly homeKey: string
  readonly environment: string
  /** `role` of the primary home. */
  readonly owner: number
}

/**
 * Runs inside the document of /live, so it uses nothing from outside: asks for the homes, and for the devices of the home
 * of the last visit or else of the one that is answered (preload-live.ts).
 */
function ask({ homesUrl, devicesUrl, homeKey, environment, owner }: Facts): void {
  const { early } = window
  const ask = early?.ask
  if (!ask) return
  const listDevices = (home_id: string | null | undefined) =>
    ask(devicesUrl, {
      device_category: 'camera',
      env: document.documentElement.dataset['environment'] ?? environment,
      ...(home_id && { home_id }),
    })
  const known = early.token && localStorage.getItem(homeKey)
  const homes = (early.homes = ask(homesUrl))
  // Without a list of homes this fails, and the page asks once it knows them.
  early.devices = known
    ? listDevices(known)
    : homes
        .then((answer) => answer.clone().json() as Promise<{ data: { role: number; home_id: string }[] }>)
        .then(({ data }) => listDevices(data.find(({ role }) => role === owner)?.home_id))
  early.devices.catch(() => {})
}

/** The text of an inline script that starts the list of cameras beside the question who is signed in. */
export const EARLY_DEVICES = `(${ask.toString()})(${JSON.stringify({
  homesUrl: `/api/p/${getHomes.group}${getHomes.path}`,
  devicesUrl: `/api/p/${getHomeDevices.group}${getHomeDevices.path}`,
  homeKey: KEYS.homeId,
  environment: DEFAULT_ENVIRONMENT,
  owner: OWNER,
} satisfies Facts)})`
