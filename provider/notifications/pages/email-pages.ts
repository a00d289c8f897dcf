import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { LeasedEmail } from '../../../contract/account/email-delivery.ts'
import { accountPage, providerPage } from '../../identity/pages/page-layout.ts'
import { formatMoment } from '../email/email-format.ts'

type StoredEmail = LeasedEmail & { readonly at: number }

const TITLE = 'Outbox'

export function emailListPage(mails: readonly StoredEmail[]): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">${BRAND_NAME} doesn’t send email from this computer. Emails are stored here instead.</p>
    ${
      mails.length === 0
        ? html`<p class="note">No emails yet. Reset a password or buy a plan to see one.</p>`
        : html`<ul class="mails">
            ${mails.map(
              ({ message_id, subject, to, at }) =>
                html`<li>
                  <a href="/mail/${message_id}"
                    ><strong>${subject}</strong><span>To ${to}, ${formatMoment(at)}</span></a
                  >
                </li>`,
            )}
          </ul>`
    }`
  return accountPage(TITLE, { email: '', back: null }, content)
}

export function emailPage({ message_id, subject, to, from, at, text }: StoredEmail): string {
  const content = html`<h1>${subject}</h1>
    <p class="mail-to">To ${to}, from ${from}, ${formatMoment(at)}</p>
    <iframe
      class="mail-html"
      title="Email preview"
      src="/mail/${message_id}/html"
      sandbox="allow-top-navigation-by-user-activation"
    ></iframe>
    <h2>Plain text</h2>
    <pre class="mail-text">${text}</pre>
    <p class="again"><a href="/mail">All emails</a></p>`
  return accountPage(subject, { email: '', back: null }, content)
}

const UNSUBSCRIBE_TEXTS = {
  asked: {
    title: 'Unsubscribe from emails about shared cameras?',
    text: 'You’ll stop getting emails about cameras shared with you. You’ll still see notifications in your account.',
    button: 'Unsubscribe',
  },
  stopped: {
    title: 'You’re unsubscribed',
    text: 'You won’t get emails about shared cameras anymore. You’ll still see notifications in your account.',
    button: 'Resubscribe',
  },
  resumed: { title: 'You’re subscribed', text: 'You’ll get emails about shared cameras again.', button: 'Unsubscribe' },
} as const

export function unsubscribePage(state: keyof typeof UNSUBSCRIBE_TEXTS, action: string, portalOrigin: string): string {
  const { title, text, button } = UNSUBSCRIBE_TEXTS[state]
  return providerPage(
    title,
    html`<h1>${title}</h1>
      <p class="lead" role="status">${text}</p>
      <form method="post" action="${action}"><button class="primary">${button}</button></form>
      <p class="again"><a href="${portalOrigin}/live">Go to ${BRAND_NAME}</a></p>`,
  )
}
