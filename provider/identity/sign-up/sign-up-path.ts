import { SIGN_UP_PATH } from '../../notifications/email-links.ts'

/** Page of the portal that opens if the visitor wanted no other page. */
export const DEFAULT_PATH = '/live'
const PATH_MAX_LENGTH = 300

/** Returns the path if it is a page of the portal, otherwise the path of the live view. */
export function toPortalPath(raw: string, portalOrigin: string): string {
  const isPath = /^\/(?![/\\])/.test(raw) && raw.length <= PATH_MAX_LENGTH && URL.canParse(raw, portalOrigin)
  const url = isPath ? new URL(raw, portalOrigin) : null
  return url?.origin === portalOrigin && !url.pathname.startsWith('//') ? url.pathname + url.search : DEFAULT_PATH
}

/** Returns the URL of the form. `path`: page of the portal to open after the first sign-in. */
export const createSignUpUrl = (path: string): string => `${SIGN_UP_PATH}?${new URLSearchParams({ path }).toString()}`

/**
 * Pages of a sign-up that the cookie of the browser identifies. `email`: after the form. `resent`: after a new email.
 * `change`: the form with the entered email. `done`: after the confirmation. `status`: JSON for the page's script.
 */
export type SignUpStep = 'email' | 'resent' | 'change' | 'done' | 'status'
export const createStepUrl = (step: SignUpStep): string => `${SIGN_UP_PATH}?step=${step}`
