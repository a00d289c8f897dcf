import type { ClassAttributes, ReactNode } from 'react'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'calendar-range': ClassAttributes<HTMLElement> & {
        readonly class?: string
        /** First and last selected day, `YYYY-MM-DD/YYYY-MM-DD`. */
        readonly value: string
        readonly min: string
        readonly max: string
        readonly today: string
        /** Day whose month appears first, and that the Tab key reaches. */
        readonly 'focused-date': string
        readonly locale: string
        /** First day of the week: 0 (Sunday) to 6. */
        readonly 'first-day-of-week': number
        readonly months: number
        readonly onchange: (change: Event) => void
        readonly children: ReactNode
      }
      'calendar-month': ClassAttributes<HTMLElement> & { readonly offset: number }
    }
  }
}
