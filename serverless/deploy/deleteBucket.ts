// Deletes the results bucket with all its objects.
import { DeleteBucketCommand, DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { UserError } from '../../renderer-core/errors.ts';
import { withAws } from '../awsErrors.ts';

/** Workers of renders that were running a moment ago may still write objects. */
const maxPasses = 5;

export type BucketContent = { objects: number; bytes: number };

export async function bucketContent(s3: S3Client, bucket: string): Promise<BucketContent> {
  const content = { objects: 0, bytes: 0 };
  await withAws('Listing the results', () =>
    eachPage(s3, bucket, async (page) => {
      content.objects += page.length;
      content.bytes += page.reduce((sum, { bytes }) => sum + bytes, 0);
    }),
  );
  return content;
}

/** `onDeleted`: the number of objects that have been deleted so far. */
export async function deleteBucket(s3: S3Client, bucket: string, onDeleted: (objects: number) => void): Promise<void> {
  let deleted = 0;
  await withAws(`Deleting the bucket ${bucket}`, async () => {
    for (let pass = 1; ; pass++) {
      await eachPage(s3, bucket, async (page) => {
        const Delete = { Objects: page.map(({ key }) => ({ Key: key })), Quiet: true };
        const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
        const [first] = Errors;
        if (first)
          throw new UserError('aws_failed', `${first.Key} could not be deleted: ${first.Code}: ${first.Message}`);
        deleted += page.length;
        onDeleted(deleted);
      });
      try {
        await s3.send(new DeleteBucketCommand({ Bucket: bucket }));
        return;
      } catch (error) {
        if ((error as Error).name !== 'BucketNotEmpty' || pass === maxPasses) throw error;
      }
    }
  });
}

/** Pages have up to 1,000 objects, the limit of one deletion. */
async function eachPage(
  s3: S3Client,
  bucket: string,
  visit: (page: { key: string; bytes: number }[]) => Promise<void>,
): Promise<void> {
  let token: string | undefined;
  do {
    const found = await s3.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }));
    const page = (found.Contents ?? []).map(({ Key = '', Size = 0 }) => ({ key: Key, bytes: Size }));
    if (page.length > 0) await visit(page);
    token = found.NextContinuationToken;
  } while (token !== undefined);
}
