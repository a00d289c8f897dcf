import CircleAlert from 'lucide-react/icons/circle-alert'

/** One sentence of what went wrong, nothing for ''. */
export function Problem({ text }: { text: string }) {
  if (text === '') return null
  return (
    <p className="problem" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      {text}
    </p>
  )
}
