import type { ReactNode } from 'react'

/** Error message with a title, one sentence, and a button or link that helps. */
export function SearchMessage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="search-middle" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="search-actions">{children}</div>
    </div>
  )
}
