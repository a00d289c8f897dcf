/**
 * Returns true if a path leads to the sign-in flow, in any spelling. Such a page redirects automatically: as a redirect
 * target it would cause an endless loop or sign the user out again (OPEN-135).
 */
export function isSignInPage(pathname: string): boolean {
  try {
    return /^[/\\]+user\b/i.test(decodeURIComponent(pathname))
  } catch {
    // Malformed encoding: no page of the portal has such a path.
    return true
  }
}
