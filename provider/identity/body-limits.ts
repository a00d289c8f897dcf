import { userLogin } from '../../contract/auth.ts'
import { BODY_MAX, type BodyTooLarge } from '../../contract/body.ts'
import { BRAND_NAME } from '../../contract/brand.ts'
import { PASSWORD_PATH } from './change-password.ts'
import { sentencePage } from './password-page.ts'
import { stoppedPage } from './problem-page.ts'
import { pageHeaders } from './send-page.ts'
import { signInUid } from './sign-in-path.ts'

const TOO_LONG = `This form is longer than ${BRAND_NAME} takes. Go back and shorten what you typed.`

/** Bytes of a body that a path of the identity server takes. */
export function bodyMaxOf(path: string): number {
  const isOurs = signInUid(path) !== null || path === PASSWORD_PATH || path === userLogin.path
  return isOurs ? BODY_MAX.form : BODY_MAX.oauth
}

/** The answer 413 in the form in which that path refuses: a page to a person, RFC 6749 to a client. */
export function tooLarge(path: string, error: BodyTooLarge, portalOrigin: string): Response {
  if (path === userLogin.path) return json({ code: 413, msg: error.message })
  if (path === PASSWORD_PATH) return html(sentencePage(TOO_LONG, portalOrigin), portalOrigin)
  if (signInUid(path) !== null || path.startsWith('/oauth/authorize'))
    return html(stoppedPage(TOO_LONG, portalOrigin), portalOrigin)
  return json({ error: 'invalid_request', error_description: error.message })
}

const json = (content: object): Response =>
  Response.json(content, { status: 413, headers: { 'cache-control': 'no-store' } })

const html = (content: string, portalOrigin: string): Response =>
  new Response(content, {
    status: 413,
    headers: { ...pageHeaders(portalOrigin), 'content-type': 'text/html; charset=utf-8' },
  })
