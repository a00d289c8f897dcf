/**
 * Row of the email's summary panel: a label, an optional hint below it, and an optional amount or date on the right.
 */
export interface SummaryLine {
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
  /** Subject of the email. Includes the date and the amount, if any. */
  readonly subject: string
  /** Title (one line) and text (one or two sentences) of the email. The list of notifications shows both as well. */
  readonly title: string
  readonly text: string
  readonly lines: readonly SummaryLine[]
  /** Paragraphs below the summary panel. */
  readonly more: readonly string[]
  readonly buttons: readonly EmailButton[]
  /** Link of the notification on the account page; null if it has none. */
  readonly action: { readonly label: string; readonly path: string } | null
  readonly small: string | null
  /** Reason for sending. The user cannot turn off emails about money and safety. */
  readonly about: 'money' | 'safety' | 'news'
}
