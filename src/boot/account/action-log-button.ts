/** /account/services: hands the action log to whoever asks for it. */
document.getElementById('download-log')?.addEventListener('click', () => {
  void import('../frame/download-action-log.ts').then(({ downloadLog }) => downloadLog())
})
