/**
 * Returns true if a path leads to the sign-in flow, regardless of letter case, percent-encoding and repeated slashes.
 * As a redirect target, such a page would cause an endless loop or sign the user out again (OPEN-135).
 */
export function isSignInPage(pathname: string): boolean {
  try {
    return /^[/\\]+user\b/i.test(decodeURIComponent(pathname))
  } catch {
    // Treats a malformed encoding as a sign-in page, because no page of the portal has such a path.
    return true
  }
}
