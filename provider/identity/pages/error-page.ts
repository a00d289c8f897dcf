import { html } from 'hono/html'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { providerPage } from './page-layout.ts'
import { sendPage } from './send-page.ts'

const EXPIRED_MESSAGE = `This page has expired or was already submitted. Go to ${BRAND_NAME} and log in again. If this page returns, allow cookies for this site.`
const INVALID_REQUEST_MESSAGE = `We couldn’t log you in because the request wasn’t valid. Go to ${BRAND_NAME} and log in again.`
export const SERVER_ERROR_MESSAGE = 'There was a problem with the server. Try again later.'

function getErrorSentence(status: number, error: string): string {
  if (error === 'expired' || error === 'session_not_found') return EXPIRED_MESSAGE
  return status >= 500 ? SERVER_ERROR_MESSAGE : INVALID_REQUEST_MESSAGE
}

/**
 * Sends the error page of a sign-in whose error cannot be returned to the portal's redirect URL. The page has one
 * sentence and a link to the portal.
 */
export function renderError(ctx: KoaContextWithOIDC, out: Pick<ErrorOut, 'error'>, portalOrigin: string): void {
  const status = ctx.status < 400 ? 400 : ctx.status
  sendPage(ctx, status, signInStoppedPage(getErrorSentence(status, out.error), portalOrigin), portalOrigin)
}

export function signInStoppedPage(sentence: string, portalOrigin: string): string {
  const content = html`<h1>Something went wrong</h1>
    <p class="problem" role="alert">${sentence}</p>
    <a class="primary" href="${portalOrigin}/live">Go to ${BRAND_NAME}</a>`
  return providerPage('Something went wrong', content)
}
