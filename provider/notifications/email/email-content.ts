/** Row of the email's summary panel: a label, a hint below it, and an amount or a date at its end. */
export interface Line {
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly isTotal?: boolean
}

export interface EmailButton {
  readonly label: string
  /** Path of the portal, or an absolute URL of the provider. */
  readonly to: string
}

export interface EmailContent {
  /** Subject of the email. Contains the date and the amount if the email has them. */
  readonly subject: string
  /** `title` is one line and `text` one or two sentences. The list of notifications shows them too. */
  readonly title: string
  readonly text: string
  readonly lines: readonly Line[]
  /** Paragraphs below the summary panel. */
  readonly more: readonly string[]
  readonly buttons: readonly EmailButton[]
  /** Link of the notification on the account page; null: none. */
  readonly action: { readonly label: string; readonly path: string } | null
  readonly small: string | null
  /** Reason for sending. Emails about money and safety cannot be turned off. */
  readonly about: 'money' | 'safety' | 'news'
}
