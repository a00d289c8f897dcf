import CircleAlert from 'lucide-react/icons/circle-alert'

/** What went wrong in the place that it belongs to, and the way to ask again. */
export function Failed({ title, text, again }: { title?: string; text: string; again: () => void }) {
  return (
    <div className="failed" role="alert">
      <CircleAlert size={20} aria-hidden="true" />
      <div>
        {title && <h3>{title}</h3>}
        <p>{text}</p>
        <button type="button" className="btn btn-outline btn-sm" onClick={again}>
          Try again
        </button>
      </div>
    </div>
  )
}
