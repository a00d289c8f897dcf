import { AUTH_CALL_TIMEOUT_MS, PREFER_200_IF_SIGNED_OUT } from '../../../contract/wire/constants.ts'
import { REDIRECT_FALLBACK, createRedirectRules, toSafePath } from '../../domain/navigation/safe-redirect.ts'
import { resolveNextUrl } from '../../stores/session/post-login-path.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'
import { readConfig } from '../page/read-config.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { isMarkedSignedIn, leavePage } from '../page/leave-page.ts'

// Last page of the sign-in flow. `handleRedirectUrl` redirects if the parameter `redirecturl` names a coupon.
if (!(await handleRedirectUrl())) void redirectToTarget()

/**
 * Redirects to `redirect_uri`, or to a fallback if the redirect rules forbid that URL (REDIRECT-01). Stores the path of
 * the target if the target is a page of this portal (REDIRECT-02). Without `redirect_uri`, redirects to the last visited
 * path, or to the fallback if there is none (OPEN-07).
 */
async function redirectToTarget(): Promise<void> {
  // Without the marker cookie, the sign-in did not complete. This call lets the edge clear the cookies of an ended
  // session. The next page requests the current user again (OPEN-135).
  if (!isMarkedSignedIn()) await awaitCurrentUser()
  // The account may have changed. Without a token, early requests of the next page ignore the stored home and cameras.
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.webAppToken)
  const redirectUri = new URLSearchParams(location.search).get('redirect_uri')
  if (redirectUri === null)
    return leavePage(toSafePath(safeLocalStorage.read(PUBLIC_PAGE_KEYS.lastPath)) ?? REDIRECT_FALLBACK)
  const target = await resolveNextUrl(redirectUri, readRedirectRules())
  const { origin, pathname, search } = new URL(target, location.href)
  const path = origin === location.origin && toSafePath(pathname + search)
  if (path) safeLocalStorage.write(PUBLIC_PAGE_KEYS.lastPath, path)
  leavePage(target)
}

/** Waits for the current-user call and ignores its result. Uses plain `fetch`, because the script budget is 3 KiB. */
async function awaitCurrentUser(): Promise<void> {
  const headers = { prefer: PREFER_200_IF_SIGNED_OUT }
  await fetch('/api/auth/me', { headers, signal: AbortSignal.timeout(AUTH_CALL_TIMEOUT_MS) }).catch(() => null)
}

/** Returns the redirect rules. Without configured domains, the rules accept only pages of this portal. */
async function readRedirectRules() {
  const {
    portalOrigin = location.origin,
    providerOrigin = location.origin,
    paymentOrigin = location.origin,
    ownDomain = location.hostname,
    paymentDomain = location.hostname,
  } = await readConfig()
  return createRedirectRules({ portalOrigin, providerOrigin, paymentOrigin, ownDomain, paymentDomain })
}
