/**
 * Whether a path leads to a page of the sign-in flow, however it is written. Such a page sends people on by itself, so as
 * a target it would send them round for ever, or sign out whoever has just signed in (OPEN-135).
 */
export function isSignInPage(pathname: string): boolean {
  try {
    return /^[/\\]+user\b/i.test(decodeURIComponent(pathname))
  } catch {
    // No page of the portal has such an address.
    return true
  }
}
