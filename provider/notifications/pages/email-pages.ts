import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { LeasedEmail } from '../../../contract/account/email-delivery.ts'
import { accountPage, providerPage } from '../../identity/pages/page-layout.ts'
import { formatMoment } from '../email/email-format.ts'

type StoredEmail = LeasedEmail & { readonly at: number }

const TITLE = 'Mails of this machine'

export function emailListPage(mails: readonly StoredEmail[]): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">Nothing leaves this machine: what ${BRAND_NAME} would send by mail is kept here.</p>
    ${
      mails.length === 0
        ? html`<p class="note">There is none yet. Forget a password, or buy something.</p>`
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
      title="The mail"
      src="/mail/${message_id}/html"
      sandbox="allow-top-navigation-by-user-activation"
    ></iframe>
    <h2>As text</h2>
    <pre class="mail-text">${text}</pre>
    <p class="again"><a href="/mail">All mails</a></p>`
  return accountPage(subject, { email: '', back: null }, content)
}

const UNSUBSCRIBE_TEXTS = {
  asked: {
    title: 'No more letters of this kind?',
    text: 'You are told on your account’s page all the same.',
    button: 'Send me no more of them',
  },
  stopped: {
    title: 'No more letters of this kind',
    text: 'They are off from now on. You are told on your account’s page all the same.',
    button: 'Send them again',
  },
  resumed: { title: 'Letters of this kind', text: 'They are sent again.', button: 'Send me no more of them' },
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
