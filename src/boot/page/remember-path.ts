import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'

/** Stores path and query of this page as last visited (SESSION-08). */
export function rememberPath(): void {
  if (!isSignInPage(location.pathname)) local.write(FIRST_KEYS.lastPath, location.pathname + location.search)
}
