/** A line of the box of a letter: what, a word below it, and an amount or a date at its end. */
export interface Line {
  readonly label: string
  readonly hint?: string
  readonly value?: string
  /** Set larger: what is charged. */
  readonly isTotal?: boolean
}

export interface Button {
  readonly label: string
  /** A path of the portal, or a whole address of the provider. */
  readonly to: string
}

/** What a letter says, whatever it is made of later. */
export interface EmailContent {
  /** With the date and the amount, where there are some. */
  readonly subject: string
  /** One line, and one sentence or two below it: they stand in the list of messages too. */
  readonly title: string
  readonly text: string
  readonly lines: readonly Line[]
  /** Paragraphs below the box. */
  readonly more: readonly string[]
  readonly buttons: readonly Button[]
  /** What the message on the account's page offers; null: nothing. */
  readonly action: { readonly label: string; readonly path: string } | null
  readonly small: string | null
  /** Why it is sent: letters about money and safety cannot be turned off. */
  readonly about: 'money' | 'safety' | 'news'
}
