import CircleAlert from 'lucide-react/icons/circle-alert'

/** In-place load error with a retry button. */
export function LoadError({ title, text, onRetry }: { title?: string; text: string; onRetry: () => void }) {
  return (
    <div className="failed" role="alert">
      <CircleAlert size={20} aria-hidden="true" />
      <div>
        {title && <h3>{title}</h3>}
        <p>{text}</p>
        <button type="button" className="btn btn-outline btn-sm" onClick={onRetry}>
          Try again
        </button>
      </div>
    </div>
  )
}
