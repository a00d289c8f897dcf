import { SIGNED_IN_COOKIE } from '../../contract/constants.ts'
import { cookieValue } from '../api/xsrf.ts'
import { isRemembered } from '../domain/page-rules.ts'
import { KEYS, local, tab, TAB_KEYS } from '../stores/storage.ts'

/** Ends this page. The page left behind is not worth coming back to. */
export const leave = (path: string): void => location.replace(path)

/** Whether the readable marker cookie says that somebody is signed in; only the server knows for sure. */
export const isMarkedSignedIn = (): boolean => cookieValue(document.cookie, SIGNED_IN_COOKIE) === '1'

/** Remembers path and query of this page as the last visited (spec §4). */
export function rememberPath(): void {
  if (isRemembered(location.pathname)) local.write(KEYS.lastPath, location.pathname + location.search)
}

/** Leaves a sentence for the next page to show as a toast. */
export function toastOnNextPage(style: 'success' | 'error' | 'warning', text: string): void {
  tab.write(TAB_KEYS.nextToast, `${style} ${text}`)
}
