import { useId, type ReactNode } from 'react'

export function NumberedSteps({ children }: { children: ReactNode }) {
  return <div className="numbered">{children}</div>
}

export function NumberedStep({ number, title, children }: { number: number; title: ReactNode; children: ReactNode }) {
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
