import { useId, type ReactNode } from 'react'

/** The numbered parts of a form. */
export function Steps({ children }: { children: ReactNode }) {
  return <div className="numbered">{children}</div>
}

/** One of them: its number, what it is about, what is chosen there. */
export function Step({ number, title, children }: { number: number; title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="numbered-step" aria-labelledby={id}>
      <h3>
        <span aria-hidden="true">{number}</span>
        <span id={id}>{title}</span>
      </h3>
      {children}
    </section>
  )
}
