import { html } from 'hono/html'
import { accountPage } from './page-layout.ts'

/** Whose page, and where the portal is. */
export interface PageAccount {
  readonly email: string
  readonly portalOrigin: string
  /** Whether there are passkeys here. */
  readonly passkeys: boolean
}

/** A page about what opens the own account: heading and one sentence above `content`. */
export function framed(
  title: string,
  lead: string,
  { email, portalOrigin }: PageAccount,
  content: ReturnType<typeof html>,
): string {
  return accountPage(
    title,
    { email, back: `${portalOrigin}/account/activity` },
    html`<h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${content}`,
  )
}
