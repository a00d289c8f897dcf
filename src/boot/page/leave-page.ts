import { SIGNED_IN_COOKIE } from '../../../contract/wire/constants.ts'
import { cookieValue } from '../../api/xsrf.ts'

/** Leaves this page without a history entry for it. */
export const leave = (path: string): void => location.replace(path)

/** True if the readable marker cookie is set; only the server knows for sure. */
export const isMarkedSignedIn = (): boolean => cookieValue(document.cookie, SIGNED_IN_COOKIE) === '1'
