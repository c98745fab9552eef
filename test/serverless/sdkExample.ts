// The example of docs/serverless.md, for the compiler; a test compares the two.
import { deploySite, getRenderProgress, renderToServerless } from '../../sdk/index.ts';

const bucketName = 'framework-render-renderbucket-…'; // both printed by `framework serverless deploy`
const stateMachineArn = 'arn:aws:states:…';

const siteHandle = await deploySite({ projectDir: 'my-video', bucketName });
const { executionArn } = await renderToServerless({
  siteHandle,
  bucketName,
  stateMachineArn,
  config: { fps: 30, format: 'mp4', variables: { title: 'Hello' } },
  outputKey: 'videos/hello.mp4',
});

const { status, overallProgress, outputFile, errors } = await getRenderProgress({ executionArn });
console.log(status, overallProgress, outputFile?.s3Uri, errors);
