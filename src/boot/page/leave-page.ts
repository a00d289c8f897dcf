import { SIGNED_IN_COOKIE } from '../../../contract/wire/constants.ts'
import { cookieValue } from '../../api/xsrf.ts'

/** Ends this page. The page left behind is not worth coming back to. */
export const leave = (path: string): void => location.replace(path)

/** Whether the readable marker cookie says that somebody is signed in; only the server knows for sure. */
export const isMarkedSignedIn = (): boolean => cookieValue(document.cookie, SIGNED_IN_COOKIE) === '1'
