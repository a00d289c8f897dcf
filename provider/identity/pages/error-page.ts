import { html } from 'hono/html'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { page } from './page-layout.ts'
import { sendPage } from './send-page.ts'

const EXPIRED = `This sign-in has expired or was already used. Start again from ${BRAND_NAME}.`
const REFUSED = `This sign-in could not be completed, because the request that led here is not valid. Start again from ${BRAND_NAME}.`
export const FAILED = 'There was a problem with the server. Please try again later.'

function sentence(status: number, error: string): string {
  if (error === 'expired' || error === 'session_not_found') return EXPIRED
  return status >= 500 ? FAILED : REFUSED
}

/** Renders the error page of a sign-in that has no URL to return to: one sentence and a link back. */
export function renderError(ctx: KoaContextWithOIDC, out: Pick<ErrorOut, 'error'>, portalOrigin: string): void {
  const status = ctx.status < 400 ? 400 : ctx.status
  sendPage(ctx, status, stoppedPage(sentence(status, out.error), portalOrigin), portalOrigin)
}

export function stoppedPage(sentence: string, portalOrigin: string): string {
  const content = html`<h1>Sign-in stopped</h1>
    <p class="problem" role="alert">${sentence}</p>
    <a class="primary" href="${portalOrigin}/live">Go to ${BRAND_NAME}</a>`
  return page('Sign-in stopped', content)
}
