import type { ReactNode } from 'react'

/** Error in one sentence, with its remedy. */
export function SearchTrouble({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="search-middle" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="search-actions">{children}</div>
    </div>
  )
}
