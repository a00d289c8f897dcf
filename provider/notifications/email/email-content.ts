/**
 * Row of the email's summary panel: a label, an optional hint below it, and an optional amount or date at the right.
 */
export interface SummaryLine {
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly isTotal?: boolean
}

export interface EmailButton {
  readonly label: string
  /** Target of the button: a path of the portal, or an absolute URL of the provider. */
  readonly to: string
}

export interface EmailContent {
  readonly subject: string
  /** Title (one line) and text (one or two sentences), for the email and the list of notifications. */
  readonly title: string
  readonly text: string
  readonly lines: readonly SummaryLine[]
  readonly more: readonly string[]
  readonly buttons: readonly EmailButton[]
  /** Link of the notification in the account's list; null if it has none. */
  readonly action: { readonly label: string; readonly path: string } | null
  readonly small: string | null
  /** Topic of the email. Users cannot turn off emails about money and safety. */
  readonly about: 'money' | 'safety' | 'news'
}
