/** What a receiver made with Zoom's own library answers to a request: {statusCode, body}. */
export async function rivet({ headers, body }, key) {
  const { AwsLambdaReceiver } = await import("@zoom/rivet/meetings");
  const receiver = new AwsLambdaReceiver({ webhooksSecretToken: key });
  receiver.init({ eventEmitter: { emit: () => {} } });
  return receiver.start()({ body, headers, isBase64Encoded: false }, {});
}
