import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'

/** Stores path and query of this page as the last visited path (SESSION-08), except for pages of the sign-in flow. */
export function rememberPath(): void {
  if (!isSignInPage(location.pathname))
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.lastPath, location.pathname + location.search)
}
