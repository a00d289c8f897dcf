import { AUTH_CALL_TIMEOUT_MS, NOBODY_IS_AN_ANSWER } from '../../../contract/wire/constants.ts'
import { REDIRECT_FALLBACK, redirectRules, safePath } from '../../domain/navigation/safe-redirect.ts'
import { holdNextUrl } from '../../stores/session/post-login-path.ts'
import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'
import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { isMarkedSignedIn, leave } from '../page/leave-page.ts'

/**
 * Last page of the sign-in flow: redirects to `redirect_uri` and stores the path of that page (REDIRECT-01,
 * REDIRECT-02). Without the parameter, redirects to the last visited path (OPEN-07).
 */
if (!(await handleRedirectUrl())) void open()

async function open(): Promise<void> {
  // The sign-in did not complete: this call lets the server clear expired data, and the next page requests the current
  // user (OPEN-135).
  if (!isMarkedSignedIn()) await awaitCurrentUser()
  // The account may have changed: the next page must not send early requests from the last session's data.
  local.remove(FIRST_KEYS.webAppToken)
  const redirectUri = new URLSearchParams(location.search).get('redirect_uri')
  if (redirectUri === null) return leave(safePath(local.read(FIRST_KEYS.lastPath)) ?? REDIRECT_FALLBACK)
  const target = await holdNextUrl(redirectUri, rules())
  const { origin, pathname, search } = new URL(target, location.href)
  const path = origin === location.origin && safePath(pathname + search)
  if (path) local.write(FIRST_KEYS.lastPath, path)
  leave(target)
}

/** Waits for the call and ignores the result, which changes nothing here. This page has a script budget of 3 KB. */
async function awaitCurrentUser(): Promise<void> {
  const headers = { prefer: NOBODY_IS_AN_ANSWER }
  await fetch('/api/auth/me', { headers, signal: AbortSignal.timeout(AUTH_CALL_TIMEOUT_MS) }).catch(() => null)
}

/** Returns the redirect rules; without the run's own domains only pages of this portal are accepted. */
async function rules() {
  const {
    portalOrigin = location.origin,
    providerOrigin = location.origin,
    paymentOrigin = location.origin,
    ownDomain = location.hostname,
    paymentDomain = location.hostname,
  } = await readConfig()
  return redirectRules({ portalOrigin, providerOrigin, paymentOrigin, ownDomain, paymentDomain })
}
