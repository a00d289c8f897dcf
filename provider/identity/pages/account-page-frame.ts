import { html } from 'hono/html'
import { accountPage } from './page-layout.ts'

export interface PageAccount {
  readonly email: string
  readonly portalOrigin: string
  readonly passkeys: boolean
}

export function renderAccountPage(
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
