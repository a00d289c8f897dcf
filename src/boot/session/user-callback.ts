import { REDIRECT_FALLBACK, redirectRules, safePath, safeRedirect } from '../../domain/redirect.ts'
import { loginRedirectUrl, takeNextUrl } from '../../stores/session/login-redirect.ts'
import { FIRST_KEYS, local } from '../../stores/storage/box.ts'
import { readConfig } from '../page/config.ts'
import { markerSays } from './marker-says.ts'
import { leave } from '../page/page.ts'

/**
 * Where the sign-in flow returns to (ROUTE-18): goes on to the page that was asked for and records its path. Nothing asked
 * for means the last visited path (OPEN-07).
 */
await markerSays(true)
// Whoever comes back may be somebody else: nothing is asked for by what the last session remembers.
local.remove(FIRST_KEYS.webAppToken)
const wanted = new URLSearchParams(location.search).get('redirect_uri')
if (wanted === null) leave(safePath(local.read(FIRST_KEYS.lastPath)) ?? REDIRECT_FALLBACK)
else {
  const target = safeRedirect(wanted, await rules())
  const { origin, pathname, search } = new URL(target, location.href)
  loginRedirectUrl.nextUrl = origin === location.origin ? pathname + search : ''
  const nextUrl = takeNextUrl()
  if (nextUrl) local.write(FIRST_KEYS.lastPath, nextUrl)
  leave(target)
}

/** Without the run's own domains only pages of this portal are accepted. */
async function rules() {
  const {
    portalOrigin = location.origin,
    providerOrigin = location.origin,
    ownDomain = location.hostname,
    paymentDomain = location.hostname,
  } = await readConfig()
  return redirectRules({ portalOrigin, providerOrigin, ownDomain, paymentDomain })
}
