import type { ReactNode } from 'react'

/** What went wrong, in a sentence, and what to do about it. */
export function SearchTrouble({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="search-middle" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="search-actions">{children}</div>
    </div>
  )
}
